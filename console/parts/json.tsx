/** A JSON value as text, so that content from others is never rendered as HTML. */
export const JsonText = ({ value, label }: { value: unknown; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
  <section class="json" tabIndex={0} aria-label={label}>
    <pre>{JSON.stringify(value, null, 2)}</pre>
  </section>
);
