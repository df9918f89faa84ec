import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconCircleXFilled from '@tabler/icons-react/dist/esm/icons/IconCircleXFilled.mjs'
import IconProgress from '@tabler/icons-react/dist/esm/icons/IconProgress.mjs'
import styles from './Status.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'idle'

const icons = {
  good: IconCircleCheckFilled,
  warn: IconAlertTriangleFilled,
  bad: IconCircleXFilled,
  busy: IconProgress,
  idle: IconCircleDashed,
}

/** A state as icon, word and colour: each of them alone is enough to understand it. */
export function Status({ tone, word, title }: { tone: Tone; word: string; title?: string | undefined }) {
  const Icon = icons[tone]
  return (
    <span className={styles['status']} data-tone={tone} title={title}>
      <Icon size={15} aria-hidden />
      {word}
    </span>
  )
}
