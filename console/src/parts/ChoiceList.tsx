import '../theme/mantine-form.css'
import { Checkbox } from '@mantine/core'
import { ChoiceLabel } from './ChoiceLabel.tsx'
import styles from './ChoiceList.module.css'
import { Skeleton } from './Skeleton.tsx'

interface Choice {
  readonly name: string
  /** Shown instead of the name. */
  readonly title?: string
  readonly about?: string
}

interface ChoiceListProps {
  readonly label: string
  readonly description?: string
  /** Undefined while the choices are loading. */
  readonly choices: readonly Choice[] | undefined
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
  readonly error?: string | undefined
}

/** A list of checkboxes, each with an explanation. */
export function ChoiceList({ label, description, choices, chosen, onChange, error }: ChoiceListProps) {
  return (
    <Checkbox.Group
      label={label}
      description={description}
      error={error}
      value={[...chosen]}
      onChange={onChange}
      size="sm"
    >
      <div className={styles['list']} aria-busy={choices === undefined}>
        {choices === undefined
          ? [180, 220, 160].map((width) => <Skeleton key={width} width={width} />)
          : choices.map(({ name, title, about }) => (
              <Checkbox
                key={name}
                size="xs"
                value={name}
                label={<ChoiceLabel title={title ?? name} about={about} />}
              />
            ))}
      </div>
    </Checkbox.Group>
  )
}
