// The tour by the client that openapi-generator (go) makes.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	api "svc-node/client"
)

const passphrase = "correct horse battery staple"

var nonces = map[string]int64{}

func next(did string) int64 {
	nonces[did]++
	return nonces[did]
}

// done gives the reply, or ends the program with the problem of the node.
func done[Reply, Response any](reply Reply, _ Response, err error) Reply {
	if err != nil {
		var failure *api.GenericOpenAPIError
		if errors.As(err, &failure) {
			err = fmt.Errorf("%w: %s", err, failure.Body())
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return reply
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Args[1]}}
	client, ctx := api.NewAPIClient(configuration), context.Background()

	newIdentity := func() string {
		return done(client.IdentityAPI.CreateIdentity(ctx).
			CreateIdentityRequest(*api.NewCreateIdentityRequest(passphrase)).Execute()).Did
	}
	ada, ben := newIdentity(), newIdentity()
	done(client.NodeAPI.GetNode(ctx).Execute())
	claim := api.NewClaimFaucetRequest()
	claim.SetDid(ada)
	done(client.WalletsAPI.ClaimFaucet(ctx).ClaimFaucetRequest(*claim).Execute())
	done(client.WalletsAPI.GetNonce(ctx, ada).Execute())
	transfer := api.NewTransferRequest(ada, passphrase, next(ada), ben, 5)
	done(client.WalletsAPI.Transfer(ctx).TransferRequest(*transfer).IdempotencyKey("tour-transfer").Execute())
	done(client.WalletsAPI.ListTransactions(ctx, ada).Type_("sent").Limit(5).Execute())

	rule := api.NewEvaluatedRuleInput("manual")
	rules := []api.RuleInput{{EvaluatedRuleInput: rule}}
	order := api.NewCreateEscrowRequest(ada, passphrase, next(ada), ben, 10, rules)
	order.SetAutoFund(true)
	expiry := "2099-01-01T00:00:00Z"
	// The generator names the type after the place where its schema comes first.
	expiresAt := order.GetExpiresAt()
	expiresAt.String = &expiry
	order.SetExpiresAt(expiresAt)
	escrow := done(client.EscrowsAPI.CreateEscrow(ctx).CreateEscrowRequest(*order).Execute())
	release := api.NewReleaseEscrowRequest(ada, passphrase, next(ada), 4)
	done(client.EscrowsAPI.ReleaseEscrow(ctx, escrow.EscrowId).ReleaseEscrowRequest(*release).Execute())
	left := done(client.EscrowsAPI.GetEscrow(ctx, escrow.EscrowId).Execute())
	done(client.EscrowsAPI.ListEscrows(ctx).Did(ada).Execute())
	done(client.MachinesAPI.GetMachineHistory(ctx, "escrow", escrow.EscrowId).Execute())
	done(client.MachinesAPI.GetPermittedActions(ctx, "escrow", escrow.EscrowId).Execute())
	done(client.MachinesAPI.ListMachines(ctx).Execute())

	price := api.NewPricingInput()
	price.SetPrice(2)
	content := api.NewCreateInfoListingRequestContent("text/csv")
	access, license := api.NewCreateInfoListingRequestAccessMethod(), api.NewLicenseInput()
	access.SetType("download")
	license.SetType("CC-BY-4.0")
	offer := api.NewCreateInfoListingRequest(ada, passphrase, next(ada), "Rainfall", "Hourly.", "weather", *price, "dataset",
		*content, *access, *license)
	offer.SetTags([]string{"rain", "hourly"})
	listing := done(client.MarketInformationAPI.CreateInfoListing(ctx).CreateInfoListingRequest(*offer).Execute())
	pause := api.NewPauseInfoListingRequest(ada, passphrase, next(ada))
	done(client.MarketInformationAPI.PauseInfoListing(ctx, listing.ListingId).PauseInfoListingRequest(*pause).Execute())
	resume := api.NewResumeInfoListingRequest(ada, passphrase, next(ada))
	done(client.MarketInformationAPI.ResumeInfoListing(ctx, listing.ListingId).ResumeInfoListingRequest(*resume).Execute())
	done(client.MarketInformationAPI.GetInfoListing(ctx, listing.ListingId).Execute())
	search := done(client.MarketsSearchAPI.SearchMarkets(ctx).
		Tags([]string{"rain", "hourly"}).Seller(ada).IncludeFacets(true).Execute())

	budget := api.NewPricingInput()
	budget.SetBudget(9)
	work := api.NewCreateTaskListingRequest(ada, passphrase, next(ada), "Count", "Beans.", "work", *budget, "counting",
		map[string]interface{}{"beans": 40}, *api.NewTimelineInput())
	task := done(client.MarketTasksAPI.CreateTaskListing(ctx).CreateTaskListingRequest(*work).Execute())
	bid := done(client.MarketTasksAPI.CreateBid(ctx, task.ListingId).
		CreateBidRequest(*api.NewCreateBidRequest(ben, passphrase, next(ben), 3)).Execute())
	bids := done(client.MarketTasksAPI.ListTaskBids(ctx, task.ListingId).Execute())
	done(client.MarketTasksAPI.AcceptBid(ctx, task.ListingId, bid.BidId).
		AcceptBidRequest(*api.NewAcceptBidRequest(ada, passphrase, next(ada))).Execute())

	terms := api.NewTermsInput()
	agreement := api.NewCreateContractRequest(ben, *terms)
	agreement.SetDid(ada)
	agreement.SetPassphrase(passphrase)
	agreement.SetNonce(next(ada))
	contract := done(client.ContractsAPI.CreateContract(ctx).CreateContractRequest(*agreement).Execute())
	signature := api.NewSignContractRequest()
	signature.SetDid(ada)
	signature.SetPassphrase(passphrase)
	signature.SetNonce(next(ada))
	agreed := done(client.ContractsAPI.SignContract(ctx, contract.ContractId).SignContractRequest(*signature).Execute())
	done(client.ContractsAPI.GetContract(ctx, contract.ContractId).Execute())

	found := done(client.EventsAPI.ListEvents(ctx).Issuer(ada).Limit(2).Execute())
	done(client.EventsAPI.GetEvent(ctx, escrow.ResourcePrev).Execute())
	done(client.IdentityAPI.GetIdentity(ctx, ada).Execute())
	done(client.WalletsAPI.GetSupply(ctx).Execute())
	balance := done(client.WalletsAPI.GetWallet(ctx, ben).Execute()).Balance
	tooMuch := api.NewTransferRequest(ada, passphrase, next(ada), ben, 1_000_000)
	_, _, err := client.WalletsAPI.Transfer(ctx).TransferRequest(*tooMuch).Execute()
	var failure *api.GenericOpenAPIError
	var problem struct{ Code string }
	if errors.As(err, &failure) {
		_ = json.Unmarshal(failure.Body(), &problem)
	}
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"remaining": left.Remaining, "balance": balance, "refusal": problem.Code, "found": search.Total,
		"bids": len(bids.Bids), "signatures": len(agreed.Signatures), "events": len(found.Events),
		"isWide": left.CreatedAt > 1<<32,
	})
}
