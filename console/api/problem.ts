/** An error answer of the node (docs/reference/errors.md#problem-documents), or the reason why no answer came. */
export class Problem extends Error {
  override name = 'Problem';
  constructor(
    /** HTTP status; 0 if no answer came. */
    readonly status: number,
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

export const unreachable = (): Problem => new Problem(0, 'UNREACHABLE', 'The node does not answer.');

/** The problem document of an answer. If the body is none, one is made from the status. */
export async function problemOf(reply: Response): Promise<Problem> {
  const body: unknown = await reply.json().catch(() => undefined);
  const { code, detail } = (body ?? {}) as { code?: unknown; detail?: unknown };
  return new Problem(
    reply.status,
    typeof code === 'string' ? code : `HTTP_${reply.status}`,
    typeof detail === 'string' ? detail : `The node answered ${reply.status}.`,
  );
}
