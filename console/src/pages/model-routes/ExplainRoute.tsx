import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { ChoiceList } from '../../parts/ChoiceList.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { describeDollars } from '../../parts/describe-amount.ts'
import { Form } from '../../parts/Form.tsx'
import { Status } from '../../parts/Status.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { describeMilliseconds } from '../cluster/node-words.ts'
import styles from './ExplainRoute.module.css'
import type { Capability, Explanation } from './route-queries.ts'
import { asSentence, describeCandidate } from './route-words.ts'

const capabilities: ReadonlyArray<{ readonly name: Capability; readonly title: string }> = [
  { name: 'tools', title: 'Tools' },
  { name: 'vision', title: 'Images' },
  { name: 'audio', title: 'Audio' },
  { name: 'files', title: 'Files' },
  { name: 'embedding', title: 'Embeddings' },
]

/** Shows which models a call of the route would try now, and why. No model is called. */
export function ExplainRoute({ name }: { name: string }) {
  const [session, setSession] = useState('')
  const [needed, setNeeded] = useState<readonly string[]>([])
  const [explanation, setExplanation] = useState<Explanation>()
  const submission = useSubmission({
    fields: ['session', 'capabilities'],
    send: ({ client }) =>
      bodyOf(
        client.POST('/api/v1/model-routes/{name}/explain', {
          params: { path: { name } },
          body: {
            ...(session.trim() === '' ? {} : { session: session.trim() }),
            capabilities: capabilities.map((it) => it.name).filter((it) => needed.includes(it)),
          },
        }),
      ),
    onDone: setExplanation,
  })
  return (
    <DrawerSection title="Explain" about="The models that a call would try now, and why. No model is called.">
      <Form submission={submission} submitLabel="Explain" failureSentence="The route was not explained.">
        <TextInput
          label="Session (optional)"
          description="X-Session-Id of the call; a weighted route chooses by it."
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={session}
          onChange={(change) => setSession(change.currentTarget.value)}
          error={submission.problemOf('session')}
        />
        <div className={styles['needs']}>
          <ChoiceList
            label="Capabilities (optional)"
            description="What the call needs."
            choices={capabilities}
            chosen={needed}
            onChange={setNeeded}
            error={submission.problemOf('capabilities')}
          />
        </div>
      </Form>
      <div role="status">{explanation === undefined ? null : <Candidates explanation={explanation} />}</div>
    </DrawerSection>
  )
}

function Candidates({ explanation }: { explanation: Explanation }) {
  const { reason, strategy, version, candidates } = explanation
  return (
    <div className={styles['result']}>
      <p>
        <strong>{asSentence(reason)}</strong> <span className={styles['about']}>Version {version}.</span>
      </p>
      <ol className={styles['candidates']} aria-label="Candidates">
        {candidates.map((candidate, index) => (
          <li key={`${index + 1} ${candidate.model}`}>
            <div className={styles['head']}>
              <code>
                {candidate.provider === null ? candidate.model : `${candidate.provider}/${candidate.model}`}
              </code>
              <Status {...describeCandidate(candidate, index)} />
            </div>
            {candidate.provider === null ? null : (
              <p className={styles['about']}>{detailsOf(candidate, strategy)}</p>
            )}
            {candidate.reason === null ? null : <p>{asSentence(candidate.reason)}</p>}
          </li>
        ))}
      </ol>
    </div>
  )
}

function detailsOf(candidate: Explanation['candidates'][number], strategy: string): string {
  const { weight, micro_dollars: price, first_token_ms: firstToken } = candidate
  return [
    ...(strategy === 'weighted' ? [`weight ${weight}`] : []),
    price === null
      ? 'price unknown'
      : price === 0
        ? 'free'
        : `${describeDollars(price)} for 1,000 tokens in and out`,
    firstToken === null
      ? 'first token not measured'
      : `first token after ${describeMilliseconds(Math.round(firstToken))}`,
  ].join(', ')
}
