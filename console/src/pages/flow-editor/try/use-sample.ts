import { useEffect, useMemo, useState } from 'react'
import { readObject } from '../../execution/read-object.ts'
import { sampleContext } from '../../flow/sample-context.ts'
import type { JsonObject } from '../document/json.ts'
import type { Origin } from '../origin.ts'
import { draftName } from '../save/drafts.ts'
import { createShelf } from '../save/shelf.ts'

const mostSamples = 50

/** What a flow is tried with. This browser keeps what somebody typed. */
export interface Sample {
  readonly text: string
  readonly change: (text: string) => void
  /** Null while the text is no object in JSON, and `problem` says why. */
  readonly value: JsonObject | null
  readonly problem: string | undefined
}

export function useSample(account: string, origin: Origin, requiredInputs: readonly string[]): Sample {
  const [shelf] = useState(() =>
    createShelf({ storage: () => window.localStorage, heading: 'tutti-flow-samples', most: mostSamples }),
  )
  const name = draftName(account, origin)
  const [typed, setTyped] = useState(() => {
    const kept = shelf.read(name)?.value
    return typeof kept === 'string' ? kept : null
  })
  useEffect(() => {
    if (typed !== null) shelf.write(name, typed)
  }, [shelf, name, typed])

  const needed = requiredInputs.join('\n')
  const text = useMemo(
    () => typed ?? JSON.stringify(sampleContext(needed === '' ? [] : needed.split('\n')), null, 2),
    [typed, needed],
  )
  const read = useMemo(() => readObject(text), [text])
  return {
    text,
    change: setTyped,
    value: (read.value as JsonObject | undefined) ?? null,
    problem: read.problem,
  }
}
