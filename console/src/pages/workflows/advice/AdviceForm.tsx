import '../../../theme/mantine-form.css'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import styles from './Advice.module.css'
import { type AdviceWishes, readAdviceWishes } from './advice-wishes.ts'

interface AdviceFormProps {
  readonly wishes: AdviceWishes
  readonly onAsk: (wishes: AdviceWishes) => void
}

interface Field {
  readonly name: keyof AdviceWishes
  readonly label: string
  readonly placeholder: string
  /** What is wrong when it cannot be read. */
  readonly problem?: string
}

const fields: readonly Field[] = [
  { name: 'type', label: 'What it is', placeholder: 'article, product page, html' },
  { name: 'language', label: 'Language', placeholder: 'en' },
  { name: 'length', label: 'Characters', placeholder: '4000', problem: 'A whole number, such as 4000.' },
  { name: 'audience', label: 'Who is to read it', placeholder: 'the general public' },
  {
    name: 'quality',
    label: 'How good it is now',
    placeholder: '0 to 100',
    problem: 'A number from 0 to 100.',
  },
  { name: 'find', label: 'What search engines are to find', placeholder: 'green tea, brewing' },
  { name: 'cost', label: 'Dollars, at most', placeholder: '0.05', problem: 'A number, such as 0.05.' },
  { name: 'time', label: 'Seconds, at most', placeholder: '60', problem: 'A number, such as 60.' },
]

const choices = [
  {
    name: 'level',
    label: 'Quality, at least',
    data: [
      { value: '', label: 'any' },
      { value: 'draft', label: 'a draft' },
      { value: 'standard', label: 'standard' },
      { value: 'high', label: 'high' },
      { value: 'premium', label: 'premium' },
    ],
  },
  {
    name: 'prefer',
    label: 'What counts most',
    data: [
      { value: '', label: 'a balance' },
      { value: 'quality', label: 'quality' },
      { value: 'cost', label: 'cost' },
      { value: 'speed', label: 'speed' },
    ],
  },
  {
    name: 'risk',
    label: 'Agents of which little is known',
    data: [
      { value: 'low', label: 'rather not' },
      { value: '', label: 'as likely as not' },
      { value: 'high', label: 'gladly' },
    ],
  },
] as const

/** What advice is wanted for. */
export function AdviceForm({ wishes, onAsk }: AdviceFormProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(wishes).map(([name, value]) => [name, String(value)])),
  )
  const read = readAdviceWishes(typed)
  const change = (name: string, value: string) => setTyped((before) => ({ ...before, [name]: value }))
  const problemOf = ({ name, problem }: Field) =>
    (typed[name] ?? '').trim() === '' || read[name] !== undefined ? undefined : problem
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (fields.every((field) => problemOf(field) === undefined)) onAsk(read)
      }}
    >
      <div className={styles['fields']}>
        {fields.map((field) => (
          <TextInput
            key={field.name}
            size="sm"
            label={field.label}
            placeholder={field.placeholder}
            autoComplete="off"
            maxLength={200}
            value={typed[field.name] ?? ''}
            error={problemOf(field)}
            onChange={({ currentTarget }) => change(field.name, currentTarget.value)}
          />
        ))}
        {choices.map(({ name, label, data }) => (
          <NativeSelect
            key={name}
            size="sm"
            label={label}
            data={[...data]}
            value={typed[name] ?? ''}
            onChange={({ currentTarget }) => change(name, currentTarget.value)}
          />
        ))}
      </div>
      <Button type="submit" size="sm" w="fit-content">
        Recommend agents
      </Button>
    </form>
  )
}
