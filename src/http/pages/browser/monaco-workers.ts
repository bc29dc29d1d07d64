const programs: Readonly<Record<string, string>> = { json: 'json.worker.js', graphql: 'graphql.worker.js' }

/** Where Monaco's workers are: beside this file, as `bundle.ts` names them. */
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string) =>
      new Worker(new URL(programs[label] ?? 'editor.worker.js', import.meta.url), { type: 'module' }),
  },
})
