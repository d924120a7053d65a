import { listingInputs } from '../listing-inputs.js';

export const inputs = listingInputs;
