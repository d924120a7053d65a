/** For an address below a view that leads to nothing. */
export const NotHere = () => (
  <p class="panel" role="alert">
    There is no such page. The tabs above list those that there are.
  </p>
);
