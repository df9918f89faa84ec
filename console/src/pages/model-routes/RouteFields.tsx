import { NativeSelect, Radio, Textarea, TextInput } from '@mantine/core'
import { ChoiceLabel } from '../../parts/ChoiceLabel.tsx'
import type { Submission } from '../../parts/use-submission.ts'
import styles from './RouteFields.module.css'
import type { RouteDraft } from './route-draft.ts'
import { strategies } from './route-words.ts'
import { TargetFields } from './TargetFields.tsx'

/** The fields of the form, by their names in the request. */
export const routeFields = ['name', 'description', 'strategy', 'targets', 'retries'] as const

const retryChoices = [{ value: '', label: 'Default (MODEL_RETRIES)' }, '0', '1', '2', '3']

interface RouteFieldsProps {
  readonly draft: RouteDraft
  readonly onChange: (draft: RouteDraft) => void
  readonly problemOf: Submission['problemOf']
  /** The name of an existing route is fixed. */
  readonly isNew: boolean
}

/** The definition of a route. */
export function RouteFields({ draft, onChange, problemOf, isNew }: RouteFieldsProps) {
  const set = (fields: Partial<RouteDraft>) => onChange({ ...draft, ...fields })
  return (
    <>
      {isNew ? (
        <TextInput
          data-autofocus
          label="Name"
          description="Callers use it in place of a model. Takes precedence over a model with the same ID."
          placeholder="quick"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={draft.name}
          onChange={(change) => set({ name: change.currentTarget.value })}
          error={problemOf('name')}
        />
      ) : null}
      <Textarea
        label="Description (optional)"
        autosize
        minRows={1}
        maxRows={6}
        value={draft.description}
        onChange={(change) => set({ description: change.currentTarget.value })}
        error={problemOf('description')}
      />
      <Radio.Group
        label="Strategy"
        description="The order in which a call tries the targets. A target that fails is followed by the next one."
        size="sm"
        value={draft.strategy}
        onChange={(value) => {
          const chosen = strategies.find(({ name }) => name === value)
          if (chosen !== undefined) set({ strategy: chosen.name })
        }}
        error={problemOf('strategy')}
      >
        <div className={styles['choices']}>
          {strategies.map(({ name, title, about }) => (
            <Radio key={name} size="xs" value={name} label={<ChoiceLabel title={title} about={about} />} />
          ))}
        </div>
      </Radio.Group>
      <TargetFields
        targets={draft.targets}
        onChange={(targets) => set({ targets })}
        hasWeights={draft.strategy === 'weighted'}
        problemOf={problemOf}
      />
      <NativeSelect
        label="Retries"
        description="How often a target that is rate limited or unavailable is tried again before the next one."
        data={retryChoices}
        value={draft.retries}
        onChange={(change) => set({ retries: change.currentTarget.value })}
        error={problemOf('retries')}
      />
    </>
  )
}
