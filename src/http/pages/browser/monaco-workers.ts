const workerFiles: Readonly<Record<string, string>> = { json: 'json.worker.js', graphql: 'graphql.worker.js' }

/**
 * Sets the locations of Monaco's workers: the folder of this file, under the names that `bundle.ts` gives
 * them.
 */
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string) =>
      new Worker(new URL(workerFiles[label] ?? 'editor.worker.js', import.meta.url), { type: 'module' }),
  },
})
