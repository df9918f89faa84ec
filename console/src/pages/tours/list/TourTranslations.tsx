import '../../../theme/mantine-form.css'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../../parts/DangerButton.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { Form } from '../../../parts/Form.tsx'
import { languageName } from '../../../parts/language-name.ts'
import { Section } from '../../../parts/Section.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { apiReferencePath } from '../../../shell/pages.ts'
import { RichTextField } from '../builder/rich-text/RichTextField.tsx'
import { changeTour, type Tour } from './tour-calls.ts'
import { countOf, wordsOf } from './tour-words.ts'

type Translation = Tour['translations'][number]

interface TourTranslationsProps {
  readonly tour: Tour
  readonly mayEdit: boolean
  readonly onChanged: () => Promise<void>
}

/** The languages of a tour besides its own, and the form of one of them. */
export function TourTranslations({ tour, mayEdit, onChanged }: TourTranslationsProps) {
  const [edited, setEdited] = useState<Translation>()
  const add = mayEdit ? (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => setEdited({ langcode: '', label: '', tips: [] })}
    >
      Add translation
    </Button>
  ) : undefined
  const isEmpty = tour.translations.length === 0
  return (
    <Section
      title="Translations"
      note={countOf(tour.translations.length, 'language')}
      aside={isEmpty ? undefined : add}
    >
      {isEmpty ? (
        <EmptyState
          sentence={`Every visitor sees the tour in its own language, ${languageName(tour.langcode)}.`}
          action={add}
          link={<a href={apiReferencePath}>Add translations through the API</a>}
        />
      ) : (
        <Table
          label="Translations"
          columns={columnsOf(tour, mayEdit ? setEdited : undefined)}
          rows={tour.translations}
          rowKey={({ langcode }) => langcode}
        />
      )}
      {edited === undefined ? null : (
        <TranslationDrawer
          tour={tour}
          translation={edited}
          onChanged={onChanged}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  )
}

function columnsOf(
  { tips }: Tour,
  onEdit: ((translation: Translation) => void) | undefined,
): ReadonlyArray<Column<Translation>> {
  return [
    {
      title: 'Language',
      value: ({ langcode }) => langcode,
      cell: ({ langcode }) => `${languageName(langcode)} (${langcode})`,
    },
    { title: 'Name', value: ({ label }) => label || null, cell: ({ label }) => label || 'Not translated' },
    {
      title: 'Steps',
      value: (translation) => translation.tips.length,
      cell: (translation) => `${translation.tips.length} of ${tips.length}`,
    },
    ...(onEdit === undefined
      ? []
      : [
          {
            title: 'Actions',
            quiet: true,
            numeric: true,
            cell: (translation: Translation) => (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Edit ${languageName(translation.langcode)}`}
                onClick={() => onEdit(translation)}
              >
                Edit
              </Button>
            ),
          },
        ]),
  ]
}

interface TranslationDrawerProps extends Pick<TourTranslationsProps, 'tour' | 'onChanged'> {
  readonly translation: Translation
  readonly onClose: () => void
}

/** The texts of a tour in one language, each below the original. */
function TranslationDrawer({ tour, translation, onChanged, onClose }: TranslationDrawerProps) {
  const [isAsking, setAsking] = useState(false)
  const [langcode, setLangcode] = useState(translation.langcode)
  const [label, setLabel] = useState(translation.label)
  const [texts, setTexts] = useState<ReadonlyMap<string, Translation['tips'][number]>>(
    () => new Map(translation.tips.map((tip) => [tip.id, tip])),
  )
  const isNew = translation.langcode === ''
  const others = tour.translations.filter((one) => one.langcode !== translation.langcode)
  const done = async () => {
    await onChanged()
    onClose()
  }
  const send = (api: Parameters<typeof changeTour>[0]) => {
    const changed = { langcode: langcode.trim(), label, tips: [...texts.values()] }
    return changeTour(api, tour.id, { translations: [...others, changed], revision: tour.revision })
  }
  // The translation is the last one of the request, wherever the platform sorts it.
  const path = `translations[${others.length}]`
  const fieldOf = (id: string) => `${path}.tips[${[...texts.keys()].indexOf(id)}]`
  const submission = useSubmission({ fields: [path], send, onDone: done })
  const change = (id: string, changes: Partial<Translation['tips'][number]>) =>
    setTexts(new Map(texts).set(id, { id, label: '', body: '', ...texts.get(id), ...changes }))
  return (
    <SideDrawer
      title={isNew ? 'Add translation' : `Translation into ${languageName(translation.langcode)}`}
      onClose={onClose}
      covered={isAsking}
      holdsInput
    >
      <Form
        submission={submission}
        submitLabel="Save"
        failureSentence="The translation was not saved."
        onCancel={onClose}
      >
        {isNew ? (
          <TextInput
            label="Language"
            description="Such as de, pt-br or zh-hans. Pages in this language show the texts; empty ones stay in the language of the tour."
            autoCapitalize="none"
            autoComplete="off"
            value={langcode}
            onChange={({ currentTarget: { value } }) => setLangcode(value)}
            error={submission.problemOf(`${path}.langcode`)}
          />
        ) : null}
        <TextInput
          label="Name"
          description={tour.label}
          autoComplete="off"
          value={label}
          onChange={({ currentTarget: { value } }) => setLabel(value)}
          error={submission.problemOf(`${path}.label`)}
        />
        {tour.tips.map((tip) => (
          <DrawerSection key={tip.id} title={`${tip.weight}. ${tip.label}`}>
            <TextInput
              label={`Title of step ${tip.weight}`}
              autoComplete="off"
              value={texts.get(tip.id)?.label ?? ''}
              onChange={({ currentTarget: { value } }) => change(tip.id, { label: value })}
              error={submission.problemOf(`${fieldOf(tip.id)}.label`)}
            />
            <RichTextField
              label={`Text of step ${tip.weight}`}
              description={wordsOf(tip.body) || 'The step has no text.'}
              value={texts.get(tip.id)?.body ?? ''}
              onChange={(body) => change(tip.id, { body })}
              error={submission.problemOf(`${fieldOf(tip.id)}.body`)}
            />
          </DrawerSection>
        ))}
      </Form>
      {isNew ? null : (
        <DrawerSection title="Delete">
          <DangerButton kind="ask" onClick={() => setAsking(true)}>
            Delete translation…
          </DangerButton>
        </DrawerSection>
      )}
      {isAsking ? (
        <ConfirmDialog
          title={`Delete the translation into ${languageName(translation.langcode)}?`}
          confirmLabel="Delete translation"
          failureSentence="The translation was not deleted."
          send={(api) => changeTour(api, tour.id, { translations: others, revision: tour.revision })}
          onDone={done}
          onClose={() => setAsking(false)}
        >
          <p>Pages in this language then show the tour in {languageName(tour.langcode)}.</p>
        </ConfirmDialog>
      ) : null}
    </SideDrawer>
  )
}
