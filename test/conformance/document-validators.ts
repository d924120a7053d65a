/** Validates values against the schemas of an OpenAPI document. Each component is compiled once. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { Body } from '../node/support/client.js';

const pointed = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * @returns a function that validates a value against the schema at a path of the document: `paths`, `/api/v1/node`, `get`, …
 */
export function validatorsOf(document: Body): (place: readonly string[], value: Body) => void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  return (place, value) => {
    const validate = ajv.getSchema(`document#/${place.map(pointed).join('/')}`);
    expect(validate, place.join(' ')).to.be.a('function');
    validate!(value);
    const flaws = validate!.errors?.map((each) => `${each.instancePath} ${each.message}`) ?? [];
    expect(flaws, `${place[1]}: npm run record-examples writes what is valid now`).to.deep.equal([]);
  };
}
