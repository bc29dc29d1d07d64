import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const MIN_BYTES_TO_COMPRESS = 1024

/**
 * Writes a gzip copy of each file in a folder and its subfolders, which the server sends to browsers. Very small
 * files get none.
 */
export function writeGzipCopies(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const content = readFileSync(file)
    if (content.length >= MIN_BYTES_TO_COMPRESS) writeFileSync(`${file}.gz`, gzipSync(content))
  }
}
