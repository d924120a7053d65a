/** The text that the signer of an event signs (docs/reference/events-and-entries.md#events). */
export const eventMessage = (bodyText: string): string => `svc:event:v1:${bodyText}`;
