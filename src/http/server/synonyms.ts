/** Names that people give to the same thing, to suggest the one that a schema has. */

/** Each line names one thing; of several suggestions the first one that the schema has is made. */
const groups = `
aspects details ratings breakdown
expiresAt expiry expires expiresOn expiration expirationDate validUntil endsAt endDate deadline dueDate due dueAt timeout ttl closesAt
bidDeadline closesAt biddingEnds biddingDeadline
amount price totalAmount total value sum tokens cost budget funds
pricing price cost fee
expectedPrice price maxPrice unitPrice
usagePrice pricePerUnit pricePerCall perCall
beneficiary to recipient receiver payee destination payTo toAddress toDid
provider contractor freelancer worker supplier vendor counterparty party seller
did from sender signer issuer payer owner author user account address depositor buyer seller client requester
did to recipient receiver account wallet
to recipient receiver beneficiary payee destination toAddress
arbiter arbitrator mediator judge referee escrowAgent
notes note message comment memo remark remarks description text details
comment review feedback message text notes note body
feedback comment message note notes reason remarks
approach message proposal coverLetter description comment notes
reason cause why message note notes comment memo description
description summary details text body about
memo note notes message comment description
note notes comment message reason explanation
rating stars score grade
score rating points stars
title name headline subject
label name title description
releaseRules releaseConditions releaseRule conditions rules rule condition
refundRules refundConditions refundRule
rule ruleId ruleName releaseRule
evidence proof proofs preimage signatures attachments documents
resolution decision outcome ruling verdict result
clientRefund refund refundAmount toClient buyerRefund
providerPayment payment payout toProvider sellerPayment
deliverables submission files artifacts results result work output items deliverable content attachments
content data payload file document dataset
envelope deliverableEnvelope
delivery envelope deliverable
approved approve accept accepted isApproved
autoFund fund fundNow fundImmediately
milestones stages phases steps
criteria acceptanceCriteria requirements conditions definitionOfDone
terms agreement conditions scope contract
timeline deadline schedule dueDate duration deliveryTime eta days
plan subscription options tier
periods duration months days length term count
endsAt end duration
budget amount maxCost limit spend
units quantity count usage calls tokens
latency latencyMs duration durationMs responseTime time ms
success ok succeeded successful failed
url callback callbackUrl endpoint webhook webhookUrl target
resource endpoint operation method path url
quantity count qty units number
credential vc verifiableCredential capability credentials
dimension category aspect kind type
ref reference orderId contractId order contract transactionId
target reviewee subject ratee
orderId order purchaseId taskOrderId
bidId bid bidID offerId
plan details
accessMethod access deliveryMethod method delivery
access accessMethod endpoint
license licence licensing usageTerms
infoType type kind dataType
taskType type kind
capabilityType type kind serviceType
task requirements work spec specification
capability service spec interface
quota limits rateLimit
maxBids bidLimit maximumBids maxBidders
tags keywords topics
category topic
visibility public private isPublic
stock supply inventory available quantity
skills requiredSkills
types events eventTypes topics event
scope role permissions scopes
passphrase password passcode key privateKey pin
nonce sequence seq sequenceNumber
prev previous previousHash prevHash parent
resourcePrev version etag ifMatch previousHash lastHash revision
ts timestamp time date
termsHash hash contractHash
document profile doc didDocument data
prevDocHash docHash previousDocHash
contentKeyHex contentKey key decryptionKey
buyerPublicKeyHex buyerPublicKey publicKey
accessUrl downloadUrl url link
accessToken token
deliveryData data
submissionId submission
envelopeDigest digest contentHash
milestoneId milestone
`;

/** Letters and digits only: `release_rules` is as good as `releaseRules`. */
export const plain = (name: string): string => name.toLowerCase().replaceAll('_', '').replaceAll('-', '');

const byName = new Map<string, string[][]>();
for (const line of groups.trim().split('\n')) {
  const group = line.split(' ');
  for (const each of new Set(group.map(plain))) byName.set(each, [...(byName.get(each) ?? []), group]);
}

/** The candidate that is another word for the name. */
export function synonym(name: string, candidates: readonly string[]): string | undefined {
  for (const group of byName.get(plain(name)) ?? []) {
    const found = group.find((each) => candidates.includes(each));
    if (found !== undefined) return found;
  }
  return undefined;
}
