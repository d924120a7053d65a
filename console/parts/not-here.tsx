/** The message for an address that does not exist within its view. */
export const NotHere = () => (
  <p class="panel" role="alert">
    There is no such page. Use the tabs above.
  </p>
);
