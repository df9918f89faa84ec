export { sealingFailureTable } from './errors.ts'
export type { Seat } from './sealed-text.ts'
export { createSealing, type Sealing, type SealingOptions } from './sealing.ts'
export { type SealingSettings, sealingSettings } from './settings.ts'
