/** How resources of a kind are listed: by who has part in them, and by what they have come to. */
export interface Listed<Role extends string = string> {
  readonly name: string;
  readonly roles: readonly Role[];
  /** Those of the roles that are another name of one before: a list by all roles need not look for them. */
  readonly synonyms?: readonly Role[];
  readonly statuses: readonly string[];
  /** States that a status stands for, where it is not the state's own name. */
  readonly states?: { readonly [status: string]: readonly string[] };
  /**
   * Where not all are for everybody: the label of those that everybody may list. Labels of roles stand behind it, too:
   * `<open>/<role>:<did>`.
   */
  readonly open?: string;
}
