import '../../../theme/mantine-form.css'
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { Launch, Place } from '@tutti/player/protocol'
import { useState } from 'react'
import { describeLineProblem, describeProblem, isAbout } from '../../../parts/describe-problem.ts'
import formStyles from '../../../parts/Form.module.css'
import { routeOf } from './document/place-step.ts'
import { isSameList, type TourDocument } from './document/tour-document.ts'
import styles from './TourSettings.module.css'
import type { Editing } from './use-editor.ts'

const launches: readonly { readonly value: Launch; readonly label: string }[] = [
  { value: 'auto', label: 'Automatically' },
  { value: 'invite', label: 'After the visitor agrees' },
  { value: 'manual', label: 'Manually' },
]

/** The name, pages and start mode of the tour. */
export function TourSettings({ editor, state, place }: Editing & { place: Place | undefined }) {
  const { document, refusals } = state
  const problems = refusals.get('tour:settings')?.failure.problems ?? []
  const change = (what: string, changes: Partial<TourDocument>) =>
    editor.change({ what, group: what }, (it) => ({ ...it, ...changes }))
  const labelProblem = problems.find((it) => isAbout(it, 'label'))
  const routeProblem = problems.find((it) => isAbout(it, 'routes'))
  const here = place === undefined ? undefined : routeOf(place)
  return (
    <details className={styles['settings']} open={problems.length > 0 || undefined}>
      <summary>
        <h2>Tour</h2>
        <span className={styles['gist']}>{gistOf(document)}</span>
      </summary>
      <div className={formStyles['form']}>
        <TextInput
          label="Name"
          autoComplete="off"
          value={document.label}
          onChange={({ currentTarget: { value } }) => change('the name of the tour', { label: value })}
          error={labelProblem && describeProblem(labelProblem)}
        />
        <NativeSelect
          label="Starts"
          data={[...launches]}
          value={document.launch}
          onChange={({ currentTarget: { value } }) => {
            const launch = launches.find((it) => it.value === value)?.value
            if (launch !== undefined) change('how the tour starts', { launch })
          }}
        />
        <LinesField
          label="Pages"
          description="One per line: a path such as /users/*, <front>, or the name of a route."
          lines={document.routes}
          onChange={(routes) => change('the pages of the tour', { routes })}
          error={
            routeProblem &&
            describeLineProblem({ ...routeProblem, path: routeProblem.path.replace(/\.\w+$/, '') })
          }
        />
        {here === undefined || document.routes.includes(here) ? null : (
          <Button
            className={styles['add'] ?? ''}
            size="compact-sm"
            variant="default"
            onClick={() => change('the pages of the tour', { routes: [...document.routes, here] })}
          >
            Add the open page: {here}
          </Button>
        )}
      </div>
    </details>
  )
}

interface LinesFieldProps {
  readonly label: string
  readonly description: string
  readonly lines: readonly string[]
  readonly onChange: (lines: string[]) => void
  readonly error: string | undefined
}

/** A field with one value per line. The typed text, blank lines included, stays until the lines change by other means. */
function LinesField({ lines, onChange, ...field }: LinesFieldProps) {
  const [typed, setTyped] = useState('')
  return (
    <Textarea
      {...field}
      rows={3}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: styles['lines'] ?? '' }}
      value={isSameList(linesOf(typed), lines) ? typed : lines.join('\n')}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        onChange(linesOf(value))
      }}
    />
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function gistOf({ launch, routes }: TourDocument): string {
  const start = { auto: 'starts automatically', invite: 'asks first', manual: 'starts manually' }[launch]
  const where =
    routes.length === 0
      ? 'on no page yet'
      : routes.length === 1
        ? `on ${routes[0]}`
        : `on ${routes.length} pages`
  return `${start}, ${where}`
}
