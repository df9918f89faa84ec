import { ActionIcon, Button, TextInput } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnnouncer } from '../../editing/use-announcer.tsx'
import { CompletingInput } from '../../parts/CompletingInput.tsx'
import { useFocusRequest } from '../../parts/use-focus-request.ts'
import type { Submission } from '../../parts/use-submission.ts'
import { completionsOf } from '../playground/model-completions.ts'
import { modelsQuery } from '../playground/models-query.ts'
import { addTarget, sharesOf, type TargetDraft } from './route-draft.ts'
import styles from './TargetFields.module.css'

/** The bound of the platform. */
const maxTargets = 20

interface TargetFieldsProps {
  readonly targets: readonly TargetDraft[]
  readonly onChange: (targets: readonly TargetDraft[]) => void
  readonly hasWeights: boolean
  readonly problemOf: Submission['problemOf']
}

/** The targets of a route in their order. Every action is a button, which keeps the focus. */
export function TargetFields({ targets, onChange, hasWeights, problemOf }: TargetFieldsProps) {
  const { data: models = [] } = useQuery(modelsQuery(useApi()))
  const { announce, region } = useAnnouncer()
  const root = useRef<HTMLFieldSetElement>(null)
  const requestFocus = useFocusRequest(root)
  const completions = completionsOf(models, { models })
  const shares = sharesOf(targets)

  const move = (index: number, part: 'up' | 'down') => {
    const target = targets[index]
    const place = part === 'up' ? index - 1 : index + 1
    if (target === undefined || place < 0 || place >= targets.length) return
    requestFocus(`[data-target="${target.id}"] [data-part="${part}"]`)
    onChange(targets.toSpliced(index, 1).toSpliced(place, 0, target))
    announce(`${nameOf(target, index)} is now target ${place + 1} of ${targets.length}.`)
  }
  const remove = (index: number) => {
    const target = targets[index]
    if (target === undefined || targets.length === 1) return
    const next = targets[index + 1] ?? targets[index - 1]
    requestFocus(`[data-target="${next?.id}"] [data-part="remove"]`)
    onChange(targets.toSpliced(index, 1))
    announce(`${nameOf(target, index)} removed.`)
  }
  const change = (index: number, fields: Partial<TargetDraft>) =>
    onChange(targets.map((target, place) => (place === index ? { ...target, ...fields } : target)))

  return (
    <fieldset ref={root} className={styles['targets']} data-weights={hasWeights}>
      <legend>Targets</legend>
      <p className={styles['help']}>
        {hasWeights
          ? 'A model ID, or provider/ID, and its weight from 0 to 1,000. A target of weight 0 is only a fallback.'
          : 'A model ID, or provider/ID.'}
      </p>
      <ol>
        {targets.map((target, index) => {
          const name = nameOf(target, index)
          return (
            <li key={target.id} data-target={target.id}>
              <span className={styles['number']} aria-hidden>
                {index + 1}.
              </span>
              <div className={styles['model']}>
                <CompletingInput
                  name={`Target ${index + 1}`}
                  placeholder="gemma3:4b"
                  value={target.model}
                  completions={completions}
                  onChange={(model) => change(index, { model })}
                  error={problemOf(`targets[${index}].model`)}
                />
              </div>
              {hasWeights ? (
                <TextInput
                  className={styles['weight'] ?? ''}
                  aria-label={`Weight of target ${index + 1}`}
                  inputMode="numeric"
                  autoComplete="off"
                  placeholder="1"
                  value={target.weight}
                  onChange={(typed) => change(index, { weight: typed.currentTarget.value })}
                  error={problemOf(`targets[${index}].weight`)}
                  rightSection={shares[index] === undefined ? null : `${shares[index]} %`}
                  rightSectionWidth={52}
                />
              ) : null}
              <span className={styles['ways']}>
                <TargetButton
                  part="up"
                  label={`Move ${name} up`}
                  icon={IconArrowUp}
                  isOff={index === 0}
                  onClick={() => move(index, 'up')}
                />
                <TargetButton
                  part="down"
                  label={`Move ${name} down`}
                  icon={IconArrowDown}
                  isOff={index === targets.length - 1}
                  onClick={() => move(index, 'down')}
                />
                <TargetButton
                  part="remove"
                  label={`Remove ${name}`}
                  icon={IconTrash}
                  isOff={targets.length === 1}
                  onClick={() => remove(index)}
                />
              </span>
            </li>
          )
        })}
      </ol>
      {targets.length < maxTargets ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            const wanted = addTarget(targets)
            requestFocus(`[data-target="${wanted.at(-1)?.id}"] input`)
            onChange(wanted)
          }}
        >
          Add target
        </Button>
      ) : (
        <p className={styles['help']}>A route has at most {maxTargets} targets.</p>
      )}
      {region}
    </fieldset>
  )
}

function nameOf({ model }: TargetDraft, index: number): string {
  return model.trim() === '' ? `target ${index + 1}` : model.trim()
}

interface TargetButtonProps {
  readonly part: 'up' | 'down' | 'remove'
  readonly label: string
  readonly icon: typeof IconArrowUp
  readonly isOff: boolean
  readonly onClick: () => void
}

function TargetButton({ part, label, icon: Icon, isOff, onClick }: TargetButtonProps) {
  return (
    <ActionIcon
      size={28}
      data-part={part}
      aria-label={label}
      title={label}
      // `aria-disabled` keeps the focus on the button when the target becomes the first, last or only one.
      aria-disabled={isOff}
      onClick={onClick}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}
