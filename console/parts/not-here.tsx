/** For an address within a view that does not exist. */
export const NotHere = () => (
  <p class="panel" role="alert">
    There is no such page. Use the tabs above.
  </p>
);
