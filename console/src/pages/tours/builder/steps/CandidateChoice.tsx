import '../../../../theme/mantine-form.css'
import { Radio } from '@mantine/core'
import type { SelectorCandidate, Stability } from '@tutti/player/protocol'
import { Status, type Tone } from '../../../../parts/Status.tsx'
import styles from './CandidateChoice.module.css'

interface CandidateChoiceProps {
  readonly candidates: readonly SelectorCandidate[]
  /** The selector that is taken. */
  readonly chosen: string
  readonly onChoose: (selector: string) => void
  /** Shows in the page what a selector finds; null shows nothing. */
  readonly onShow: (selector: string | null) => void
}

const stabilities: Readonly<Record<Stability, { readonly tone: Tone; readonly word: string }>> = {
  high: { tone: 'good', word: 'Stable' },
  medium: { tone: 'warn', word: 'May change' },
  low: { tone: 'bad', word: 'Fragile' },
}

/** The ways to find the picked element again, the best first. */
export function CandidateChoice({ candidates, chosen, onChoose, onShow }: CandidateChoiceProps) {
  return (
    <Radio.Group
      label="Selectors"
      description="The best selector comes first; the others are fallbacks."
      size="sm"
      value={chosen}
      onChange={onChoose}
    >
      <div className={styles['list']}>
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
