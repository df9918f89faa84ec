export { createLoopLoad } from './loop-load.ts'
export { createPacing, type Pacing } from './pacing.ts'
