/** Fills in options that were not typed: from the environment first, then from the selected profile. */
import process from 'node:process';
import { type Profile, profileNamed, readPreferences } from './preferences.js';

export interface ProfileOptions extends Omit<Profile, 'did'> {
  readonly profile?: string;
  readonly key?: string;
}

/** The selected profile: by `--profile`, SVC_NODE_PROFILE, or `config use`. */
function profileOf({ profile }: ProfileOptions): Profile {
  const preferences = readPreferences();
  const name = profile ?? (process.env.SVC_NODE_PROFILE || preferences.current);
  return name === undefined ? {} : profileNamed(name, preferences);
}

const variable = (name: string): string | undefined => process.env[name] || undefined;

/**
 * Adds the profile's values. A profile's secrets are for its own node: if an option or a variable selects another node,
 * they are not used. A key that signs here is for any node.
 * `ownDid` is the DID that signs, unless a command's own `--did` states another.
 */
export function withProfile<T extends ProfileOptions>(options: T): T & Profile & { readonly ownDid?: string } {
  const profile = profileOf(options);
  const url = options.url ?? variable('SVC_NODE_URL');
  const isElsewhere = url !== undefined || options.data !== undefined || variable('SVC_DATA_DIR') !== undefined;
  const { keyFile, passphraseFile, data, network } = isElsewhere ? ({} as Profile) : profile;
  const hasKey = options.key ?? options.keyFile ?? variable('SVC_NODE_KEY') ?? variable('SVC_NODE_KEY_FILE');
  const hasPassphrase = variable('SVC_PASSPHRASE') ?? variable('SVC_PASSPHRASE_FILE');
  const filled = {
    url: url ?? (isElsewhere ? undefined : profile.url),
    ownDid: variable('SVC_NODE_DID') ?? profile.did,
    keyFile: hasKey === undefined ? keyFile : options.keyFile,
    passphraseFile: options.passphraseFile ?? (hasPassphrase === undefined ? passphraseFile : undefined),
    signingKey: options.signingKey ?? variable('SVC_NODE_SIGNING_KEY') ?? profile.signingKey,
    data: options.data ?? data,
    network: options.network ?? (variable('SVC_NETWORK') === undefined ? network : undefined),
  };
  const given = Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== undefined));
  return { ...options, ...given };
}
