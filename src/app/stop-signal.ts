/** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once, for those who cannot wait. */
export async function stopSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = () => {
      resolve()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.off(signal, stop)
        process.on(signal, () => process.exit(130))
      }
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
