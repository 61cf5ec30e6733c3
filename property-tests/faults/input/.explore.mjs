import fc from 'fast-check';
import { mkdirSync, rmSync, mkdtempSync } from 'node:fs';
import { openBuilds } from '/work/main/property-tests/faults/frame/builds.mjs';
import { startRawServer } from '/work/main/property-tests/faults/input/raw-server.mjs';
import { oddCall, openTokens } from '/work/main/property-tests/faults/input/odd-calls.mjs';
import { textOf } from '/work/main/property-tests/faults/input/odd-values.mjs';
import { judgeAnswer } from '/work/main/property-tests/faults/input/judge-answer.mjs';
import { makeOddWorld, openGoodWork } from '/work/main/property-tests/faults/input/good-work.mjs';
mkdirSync('/tmp/faults5', { recursive: true });
const dir = mkdtempSync('/tmp/faults5/x-');
const build = openBuilds('/work/main', dir)('sound');
const world = makeOddWorld(dir + '/w');
const server = startRawServer(build, world);
await server.initialize();
const good = openGoodWork('G');
const tokens = openTokens();
const counts = {};
let n = 0;
const t0 = performance.now();
const total = Number(process.argv[2] ?? 500);
for (let s = 0; n < total; s++) {
  const calls = fc.sample(oddCall, { seed: s + Number(process.argv[3] ?? 0), numRuns: 50 });
  const waits = calls.map((c) => {
    const id = n++;
    let text;
    text = tokens.put(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${textOf(c)}}\n`);
    const a = server.answerTo(id);
    void server.write(text);
    return a.then((m) => {
      const p = judgeAnswer(m, text);
      for (const x of p) console.log('!!', x.slice(0, 700));
      const ans = m?.result?._meta?.['workrail/answer'];
      tokens.heard(ans);
      const k = c.name.slice(0,20) + ' ' + (m?.error ? 'E' + m.error.code : m?.result?.isError ? ans?.error_code : ans?.kind ?? 'ok');
      if (c.name in {list_workflows:1,inspect_workflow:1,start_workflow:1,continue_workflow:1,checkpoint_workflow:1,start_session:1,resume_session:1}) counts[k] = (counts[k] ?? 0) + 1;
    });
  });
  await Promise.all(waits);
  for (const x of await good.step(server)) console.log('!!good', x);
}
console.log(n, (n / (performance.now() - t0) * 1000).toFixed(0) + '/s', server.memory(), server.problems);
console.log(counts);
console.log(await server.close(), server.stderr().split('\n').filter(l=>!/ [A-Z_]+: /.test(l)).slice(-5));
