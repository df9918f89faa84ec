export type { Grain } from './grain.ts'
export type { Sample } from './machine/sample.ts'
export { vitalsMigrations } from './migrations.ts'
export type { ProcessVitals } from './processes.ts'
export type { RequestFigures, VitalsPoint, VitalsReading } from './reading.ts'
export type { Answered } from './requests.ts'
export {
  createVitals,
  type Gauge,
  type Vitals,
  type VitalsNow,
  type VitalsOptions,
  type VitalsPeriod,
} from './vitals.ts'
