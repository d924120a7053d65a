/** For an address within a view that does not exist. */
export const NotHere = () => (
  <p class="panel" role="alert">
    There is no such page. The tabs above list those that there are.
  </p>
);
