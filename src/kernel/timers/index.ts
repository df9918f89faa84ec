export { pause, startTimer } from './long-timers.ts'
