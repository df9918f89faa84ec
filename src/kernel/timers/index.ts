export { pause, startTimer } from './long-timers.ts'
export { createLoopTurns, type LoopTurns } from './loop-turns.ts'
export { startRunningTimer } from './running-timers.ts'
