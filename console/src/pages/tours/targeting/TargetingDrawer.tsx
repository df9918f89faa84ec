import '../../../theme/mantine-form.css'
import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Problem } from '../../../api/api-failure.ts'
import { Form } from '../../../parts/Form.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { changeTour, type Tour } from '../list/tour-calls.ts'
import {
  fromLocalField,
  readCondition,
  type Targeting,
  toLocalField,
  writeCondition,
} from './targeting-words.ts'

interface TargetingDrawerProps {
  readonly tour: Tour
  readonly onClose: () => void
  readonly onChanged: () => Promise<void>
}

const frequencies: readonly { readonly value: Targeting['frequency']; readonly label: string }[] = [
  { value: 'once', label: 'Once per visitor' },
  { value: 'days', label: 'Again after some days' },
  { value: 'always', label: 'At each visit' },
]

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

/** The problem of a condition, with the number of its line. */
function describeLine({ path }: Problem): string {
  const index = /\[(\d+)\]/.exec(path)?.[1]
  if (index === undefined) return 'There are too many conditions.'
  return `Line ${Number(index) + 1} must be an attribute, = or !=, and values, such as role = editor.`
}

/** Changes who gets a tour by itself, when, and how often. */
export function TargetingDrawer({ tour, onClose, onChanged }: TargetingDrawerProps) {
  const { targeting } = tour
  const [conditions, setConditions] = useState(targeting.conditions.map(writeCondition).join('\n'))
  const [startsAt, setStartsAt] = useState(toLocalField(targeting.starts_at))
  const [endsAt, setEndsAt] = useState(toLocalField(targeting.ends_at))
  const [frequency, setFrequency] = useState(targeting.frequency)
  const [days, setDays] = useState(targeting.days ?? 7)
  const submission = useSubmission({
    fields: ['targeting.conditions', 'targeting.starts_at', 'targeting.ends_at', 'targeting.days'],
    send: (api) =>
      changeTour(api, tour.id, {
        targeting: {
          conditions: linesOf(conditions).map(readCondition),
          starts_at: fromLocalField(startsAt),
          ends_at: fromLocalField(endsAt),
          frequency,
          days: frequency === 'days' ? days : null,
        },
        revision: tour.revision,
      }),
    onDone: async () => {
      await onChanged()
      onClose()
    },
  })
  return (
    <SideDrawer title="Edit targeting" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Save"
        failureSentence="The tour was not changed."
        onCancel={onClose}
      >
        <Textarea
          label="Conditions"
          description="One per line, such as role = editor, admin or plan != free. All must be met. The page gives the attributes; visitors can read the conditions."
          rows={3}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={conditions}
          onChange={({ currentTarget: { value } }) => setConditions(value)}
          error={submission.problemOf('targeting.conditions', describeLine)}
        />
        <TextInput
          type="datetime-local"
          label="Starts"
          description="In your time zone. Empty: at once."
          value={startsAt}
          onChange={({ currentTarget: { value } }) => setStartsAt(value)}
          error={submission.problemOf('targeting.starts_at')}
        />
        <TextInput
          type="datetime-local"
          label="Ends"
          description="Empty: without end."
          value={endsAt}
          onChange={({ currentTarget: { value } }) => setEndsAt(value)}
          error={submission.problemOf('targeting.ends_at')}
        />
        <NativeSelect
          label="Frequency"
          description="Per user on all devices when the page names its user, else per browser."
          data={[...frequencies]}
          value={frequency}
          onChange={({ currentTarget: { value } }) => {
            const chosen = frequencies.find((it) => it.value === value)
            if (chosen !== undefined) setFrequency(chosen.value)
          }}
        />
        {frequency === 'days' ? (
          <NumberInput
            label="Days"
            min={1}
            max={365}
            allowDecimal={false}
            value={days}
            onChange={(value) => setDays(Number(value))}
            error={submission.problemOf('targeting.days')}
          />
        ) : null}
      </Form>
    </SideDrawer>
  )
}
