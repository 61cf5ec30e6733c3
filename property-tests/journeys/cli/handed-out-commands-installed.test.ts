import { vi } from 'vitest';

// The same commands, from the package as it is installed: there they begin with the program's name.
vi.stubEnv('HANDED_OUT_FROM', 'package');
await import('./handed-out-commands.test.js');
