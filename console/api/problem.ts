/** What the node answers when it says no (docs/reference/errors.md#problem-documents), or why it could not be asked. */
export class Problem extends Error {
  override name = 'Problem';
  constructor(
    /** HTTP status; 0 where no answer came. */
    readonly status: number,
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

export const unreachable = (): Problem => new Problem(0, 'UNREACHABLE', 'The node does not answer.');

/** The problem document of an answer, or what can be said without one. */
export async function problemOf(reply: Response): Promise<Problem> {
  const body: unknown = await reply.json().catch(() => undefined);
  const { code, detail } = (body ?? {}) as { code?: unknown; detail?: unknown };
  return new Problem(
    reply.status,
    typeof code === 'string' ? code : `HTTP_${reply.status}`,
    typeof detail === 'string' ? detail : `The node answered ${reply.status}.`,
  );
}
