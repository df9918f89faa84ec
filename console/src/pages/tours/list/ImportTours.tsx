import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { ChoiceList } from '../../../parts/ChoiceList.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Form } from '../../../parts/Form.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { FindingList } from '../export/FindingList.tsx'
import { FileDrop } from './FileDrop.tsx'
import styles from './ImportTours.module.css'
import { type ImportFile, readImportFile } from './read-import-file.ts'
import { createTour } from './tour-calls.ts'
import { countOf } from './tour-words.ts'

interface ImportToursProps {
  readonly onCancel: () => void
  readonly onImported: (ids: readonly string[]) => Promise<void>
}

/** Tours from a file: it is looked into first, and nothing is imported before somebody says so. */
export function ImportTours({ onCancel, onImported }: ImportToursProps) {
  const api = useApi()
  const { mutate, data, error, variables } = useMutation({
    mutationFn: (file: File) => readImportFile(api, file),
  })
  return (
    <div className={styles['import']}>
      <FileDrop
        label="Drop a recipe or a tour here"
        accept=".zip,.gz,.tgz,.json,application/zip,application/gzip,application/json"
        about="A recipe as zip, tar.gz or JSON, or a tour as JSON"
        chosen={variables?.name}
        onFile={mutate}
      />
      {error === null || variables === undefined ? null : (
        <FailureNotice what="The file could not be opened." error={error} onRetry={() => mutate(variables)} />
      )}
      {data === undefined ? null : (
        <Chosen key={variables?.name} file={data} onCancel={onCancel} onImported={onImported} />
      )}
    </div>
  )
}

interface ChosenProps extends ImportToursProps {
  readonly file: ImportFile
}

function Chosen({ file: { tours, findings }, onCancel, onImported }: ChosenProps) {
  const [wanted, setWanted] = useState(tours.map(({ id }) => id))
  const submission = useSubmission({
    fields: [],
    send: async (api) => {
      const ids: string[] = []
      for (const { id, given } of tours) {
        if (!wanted.includes(id)) continue
        ids.push((await createTour(api, { creation_method: 'import', tour: given })).id)
      }
      return ids
    },
    onDone: onImported,
  })
  if (tours.length === 0) return <FindingList findings={findings} none="There is no tour in the file." />
  return (
    <>
      <Form
        submission={submission}
        submitLabel={wanted.length === 1 ? 'Import as a draft' : `Import ${countOf(wanted.length, 'draft')}`}
        failureSentence="Not all of it was imported."
        onCancel={onCancel}
      >
        <ChoiceList
          label="Tours in the file"
          choices={tours.map(({ id, label, steps }) => ({
            name: id,
            title: label,
            about: `${id}, ${countOf(steps, 'step')}`,
          }))}
          chosen={wanted}
          onChange={setWanted}
        />
      </Form>
      {findings.length === 0 ? null : (
        <DrawerSection title="What a site would make of the recipe">
          <FindingList findings={findings} none="" />
        </DrawerSection>
      )}
    </>
  )
}
