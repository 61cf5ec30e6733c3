import { driveTogether } from '../frame/drive-together.mjs';

/** Each server counts its processes by itself, and all have the same host name: as containers on the network of their host. */
const container = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

export const scenario = {
  name: 'drivers-in-containers',
  says: 'the same, each server in a pid namespace of its own under one host name, where none can see whether another lives: none takes another for dead',
  needs: ['linux', 'root', 'namespaces'],
  mutants: ['containers-mixed'],
  rounds: 10,
  smoke: 1,
  smokeSeconds: 40,
  mutantRounds: 4,
  run: (options) => driveTogether(options, 'drivers-in-containers', { wrap: container }),
};
