import { z } from 'zod';
import { preferenceValues } from './preferences.js';

export const autonomySchema = z.enum(preferenceValues.autonomy);
export const gateHandlingSchema = z.enum(preferenceValues.gateHandling);
export const assumptionPolicySchema = z.enum(preferenceValues.assumptionPolicy);
export const riskPolicySchema = z.enum(preferenceValues.riskPolicy);

export const preferencesSchema = z.strictObject({
  autonomy: autonomySchema.describe('How far to go without the user'),
  gateHandling: gateHandlingSchema.describe('Whether a confirmation stops the run or is recorded as a risk'),
  assumptionPolicy: assumptionPolicySchema.describe('Whether to ask for what is missing, or to assume and record it'),
  riskPolicy: riskPolicySchema.describe('How bold to be'),
});
