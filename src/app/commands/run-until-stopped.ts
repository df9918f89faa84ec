import { stopSignal } from '../stop-signal.ts'

/** Something that runs until it is told to end. */
export interface Running {
  /** What a person reads once it is ready. */
  readonly banner: string
  close(): Promise<void>
}

/** Starts, tells, waits for Ctrl-C or SIGTERM, and closes in order. */
export async function runUntilStopped(start: () => Promise<Running>): Promise<void> {
  const stopped = stopSignal(() => console.log('Ended at once. The next start takes over what was left.'))
  const running = await start()
  console.log(running.banner)
  await stopped
  console.log('Stopping …')
  await running.close()
  console.log('Stopped.')
}
