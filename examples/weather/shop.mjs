/** A shop that sells forecasts: 4 Tokens each, paid in HTTP. It asks no node, and needs only the DID of the home where it is paid. */
import Koa from 'koa';
import { sell, usedIn } from 'svc-node/payments';

const skies = ['sun', 'clouds', 'rain', 'snow'];

/**
 * @param offer who is paid, and where: `payTo`, `home`, `network`, `url`, `secret`, and the `listing` that can be leased; `folder`
 * for what was served
 */
export function shop({ folder, ...offer }) {
  const app = new Koa();
  app.use(async ({ path, response }, next) => {
    if (path.startsWith('/forecast/')) return next();
    response.body = 'Ask for /forecast/<place>.';
  });
  app.use(sell({ ...offer, amount: 4, description: 'the weather of tomorrow', used: usedIn(folder) }).koa);
  app.use(({ path, response }) => {
    const place = decodeURIComponent(path.slice('/forecast/'.length));
    response.body = { place, tomorrow: skies[place.length % skies.length] };
  });
  return app;
}
