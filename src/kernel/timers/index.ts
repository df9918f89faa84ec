export { pause, startTimer } from './long-timers.ts'
export { startRunningTimer } from './running-timers.ts'
