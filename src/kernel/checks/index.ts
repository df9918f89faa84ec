export { createCheck } from './create-check.ts'
