interface ShortMemoryOptions<Question, Answer> {
  readonly keepMs: number
  readonly nameOf: (question: Question) => string
  readonly ask: (question: Question) => Promise<Answer>
  readonly now?: () => number
}

interface ShortMemory<Question, Answer> {
  (question: Question): Promise<Answer>
  /** The answer of this name is asked for anew; without a name every one is. */
  forget(name?: string): void
}

/** So many answers are kept; then the oldest goes. */
const mostAnswers = 10_000

/** Asks the same thing once in a while, however often it is wanted. What fails is asked again at once. */
export function createShortMemory<Question, Answer>({
  keepMs,
  nameOf,
  ask,
  now = () => performance.now(),
}: ShortMemoryOptions<Question, Answer>): ShortMemory<Question, Answer> {
  const kept = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>()

  function remember(question: Question): Promise<Answer> {
    const name = nameOf(question)
    const known = kept.get(name)
    if (known !== undefined && known.until > now()) return known.answer
    const answer = ask(question)
    const entry = { answer, until: now() + keepMs }
    kept.delete(name)
    kept.set(name, entry)
    if (kept.size > mostAnswers) kept.delete(kept.keys().next().value ?? '')
    answer.catch(() => {
      if (kept.get(name) === entry) kept.delete(name)
    })
    return answer
  }

  return Object.assign(remember, {
    forget(name?: string) {
      if (name === undefined) kept.clear()
      else kept.delete(name)
    },
  })
}
