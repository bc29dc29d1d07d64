import './monaco-workers.ts'
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { GraphiQL } from 'graphiql'
import 'graphiql/style.css'
import { createElement, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { headers, exampleOperations } from './examples.ts'
import { fetcher } from './fetcher.ts'
import { storage } from './storage.ts'
import './page.css'

/** Pause after the last key press before the schema is loaded. */
const DEBOUNCE_MS = 500

/** Component that loads the schema again when the headers change, because they contain the key that permits it. */
function SchemaReloader(): null {
  const editor = useGraphiQL(({ headerEditor }) => headerEditor)
  const { introspect } = useGraphiQLActions()
  useEffect(() => {
    let timer: number | undefined
    const subscription = editor?.onDidChangeModelContent(() => {
      clearTimeout(timer)
      timer = setTimeout(() => void introspect(), DEBOUNCE_MS)
    })
    return () => {
      clearTimeout(timer)
      subscription?.dispose()
    }
  }, [editor, introspect])
  return null
}

const page = createElement(
  GraphiQL,
  {
    fetcher,
    storage,
    defaultQuery: exampleOperations,
    defaultHeaders: headers,
    defaultEditorToolsVisibility: 'headers',
  },
  createElement(GraphiQL.Footer, null, createElement(SchemaReloader)),
)

createRoot(document.querySelector('#page') as Element).render(page)
