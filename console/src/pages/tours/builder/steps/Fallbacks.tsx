import { RowAction } from '../../../../parts/RowAction.tsx'
import type { Step } from '../document/tour-document.ts'
import styles from './Fallbacks.module.css'

interface FallbacksProps {
  readonly step: Step
  readonly onChange: (changes: Partial<Omit<Step, 'key'>>) => void
  readonly onShow: (selector: string | null) => void
}

/** The selectors that stand in when a step's own finds nothing. */
export function Fallbacks({ step: { selector, candidates }, onChange, onShow }: FallbacksProps) {
  if (candidates.length === 0) return null
  return (
    <div>
      <h3 className={styles['title']}>If it is not found, tried in turn</h3>
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
