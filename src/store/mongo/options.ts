import type { Environment } from '../../core/environment.js';

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`. The database is the URL's, or `svc`, with `-<network>` appended. */
  readonly url: string;
  readonly network: string;
  readonly world?: Environment;
  readonly log?: (message: string, detail: object) => void;
}
