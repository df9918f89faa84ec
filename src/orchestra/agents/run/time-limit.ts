import { StepFailure } from '#engine'

/** Ends work that takes longer than an agent may. Throws PROVIDER_UNAVAILABLE then, which may be tried again. */
export async function withinTime<Result>(
  outer: AbortSignal,
  { id, seconds }: { readonly id: string; readonly seconds: number },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(new Error('the agent is out of time')), seconds * 1000)
  try {
    return await work(AbortSignal.any([outer, over.signal]))
  } catch (error) {
    outer.throwIfAborted()
    if (!over.signal.aborted) throw error
    throw new StepFailure({
      code: 'PROVIDER_UNAVAILABLE',
      message: `"${id}" took longer than the ${seconds} seconds it may take.`,
      details: { agent: id, timeout: seconds, reason: 'agent_timeout' },
      usage: error instanceof StepFailure ? error.usage : undefined,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}
