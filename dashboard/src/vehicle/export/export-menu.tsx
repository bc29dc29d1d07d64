import { type DayToExport, exportFormats, type ExportFormat, fileNameOf } from './export-day.ts'

interface ExportMenuProps {
  readonly exported: DayToExport
  /** The day in the name of the file. */
  readonly day: string
}

/** Buttons that save the day as a file. */
export function ExportMenu({ exported, day }: ExportMenuProps) {
  return (
    <p className="export">
      Export the day as{' '}
      {exportFormats.map((format) => (
        <button key={format.name} type="button" onClick={() => save(exported, day, format)}>
          {format.name}
        </button>
      ))}
    </p>
  )
}

function save(exported: DayToExport, day: string, format: ExportFormat): void {
  const url = URL.createObjectURL(new Blob([format.write(exported)], { type: format.mediaType }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileNameOf(exported.day, day, format)
  link.click()
  URL.revokeObjectURL(url)
}
