import { Button, Radio, TextInput } from '@mantine/core'
import IconPointer from '@tabler/icons-react/dist/esm/icons/IconPointer.mjs'
import type { SelectorCandidate, Stability } from '@tutti/player/protocol'
import { RowAction } from '../../../../parts/RowAction.tsx'
import { Status, type Tone } from '../../../../parts/Status.tsx'
import type { ElementStatus } from '../document/element-status.ts'
import type { Step } from '../document/tour-document.ts'
import styles from './TargetFields.module.css'
import { targetOf } from './target-of.ts'
import '../../../../theme/mantine-form.css'

export interface TargetFieldsProps {
  readonly step: Step
  readonly elementStatus: ElementStatus | undefined
  /** The selectors found for the last picked element, if it was picked for this step. */
  readonly picked: readonly SelectorCandidate[] | undefined
  readonly canPick: boolean
  readonly error: string | undefined
  readonly onPick: () => void
  readonly onChange: (changes: Partial<Omit<Step, 'key'>>) => void
  readonly onShow: (selector: string | null) => void
}

/** The element of a step: picked in the page, or written as a selector. */
export function TargetFields(props: TargetFieldsProps) {
  const { step, elementStatus, picked, canPick, error, onPick, onChange, onShow } = props
  return (
    <>
      <div className={styles['target']}>
        <TextInput
          className={styles['selector'] ?? ''}
          label="Element"
          placeholder="CSS selector, such as #save"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          data-part="target"
          value={step.selector}
          onChange={({ currentTarget: { value } }) => onChange({ selector: value, targetText: null })}
          onFocus={() => onShow(step.selector)}
          onBlur={() => onShow(null)}
          error={error}
        />
        <Button
          size="sm"
          variant="default"
          leftSection={<IconPointer size={14} aria-hidden />}
          aria-disabled={!canPick}
          onClick={canPick ? onPick : undefined}
        >
          Pick
        </Button>
      </div>
      {elementStatus === undefined ? null : (
        <p className={styles['elementStatus']}>
          <Status tone={elementStatus.tone} word={elementStatus.sentence} />
        </p>
      )}
      {picked === undefined ? (
        <Fallbacks step={step} onChange={onChange} onShow={onShow} />
      ) : (
        <CandidateChoice
          candidates={picked}
          chosen={step.selector}
          onChoose={(selector) => onChange(targetOf(picked, selector))}
          onShow={onShow}
        />
      )}
    </>
  )
}

interface FallbacksProps {
  readonly step: Step
  readonly onChange: (changes: Partial<Omit<Step, 'key'>>) => void
  readonly onShow: (selector: string | null) => void
}

/** The fallback selectors of a step, used when its own matches nothing. */
function Fallbacks({ step: { selector, candidates }, onChange, onShow }: FallbacksProps) {
  if (candidates.length === 0) return null
  return (
    <div>
      <h3 className={styles['title']}>Fallback selectors</h3>
      <ul className={styles['list']}>
        {candidates.map((candidate) => {
          const others = candidates.filter((it) => it !== candidate)
          return (
            <li key={candidate} onMouseEnter={() => onShow(candidate)} onMouseLeave={() => onShow(null)}>
              <code>{candidate}</code>
              <RowAction
                label="Use"
                name={candidate}
                onClick={() =>
                  onChange({
                    selector: candidate,
                    candidates: selector.trim() === '' ? others : [selector, ...others],
                  })
                }
              />
              <RowAction label="Remove" name={candidate} onClick={() => onChange({ candidates: others })} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface CandidateChoiceProps {
  readonly candidates: readonly SelectorCandidate[]
  /** The selected candidate. */
  readonly chosen: string
  readonly onChoose: (selector: string) => void
  /** Outlines the elements a selector matches in the page; null removes the outlines. */
  readonly onShow: (selector: string | null) => void
}

const stabilities: Readonly<Record<Stability, { readonly tone: Tone; readonly word: string }>> = {
  high: { tone: 'good', word: 'Stable' },
  medium: { tone: 'warn', word: 'May change' },
  low: { tone: 'bad', word: 'Fragile' },
}

/** The selectors of the picked element, best first. */
function CandidateChoice({ candidates, chosen, onChoose, onShow }: CandidateChoiceProps) {
  return (
    <Radio.Group
      label="Selectors"
      description="The best selector comes first; the others are fallbacks."
      size="sm"
      value={chosen}
      onChange={onChoose}
    >
      <div className={styles['candidates']}>
        {candidates.map(({ selector, matches, stability, why }) => (
          <Radio
            key={selector}
            size="xs"
            value={selector}
            onMouseEnter={() => onShow(selector)}
            onMouseLeave={() => onShow(null)}
            onFocus={() => onShow(selector)}
            onBlur={() => onShow(null)}
            label={
              <span className={styles['candidate']}>
                <code>{selector}</code>
                <span className={styles['details']}>
                  <Status {...stabilities[stability]} />
                  <span>{matches === 1 ? '1 match' : `${matches} matches`}</span>
                </span>
                <span className={styles['why']}>{why}</span>
              </span>
            }
          />
        ))}
      </div>
    </Radio.Group>
  )
}
