import { endsAsItShould } from '../ends-as-it-should.ts'
import { traccar } from '../traccar-subject.ts'

endsAsItShould(traccar)
