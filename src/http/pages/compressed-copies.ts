import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const MIN_BYTES_TO_COMPRESS = 1024

/** Quality of Brotli. The highest, 11, takes ten times as long, and the dashboard is 10 % smaller. */
const BROTLI_QUALITY = 9

/**
 * Writes a Brotli copy and a gzip copy of each file in a folder and its subfolders, which the server sends to browsers.
 * Very small files get none.
 */
export function writeCompressedCopies(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const content = readFileSync(file)
    if (content.length < MIN_BYTES_TO_COMPRESS) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
    writeFileSync(`${file}.gz`, gzipSync(content))
  }
}
