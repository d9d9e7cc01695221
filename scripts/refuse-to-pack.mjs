// Runs before `npm pack` and `npm publish` in a folder of packages/, which holds sources and not what users install.
process.stderr.write(
  '\nThis folder holds the sources of a package. In the root of the repository, run "npm run pack" to build and pack ' +
    'all packages, or "npm run release:publish" to publish them.\n\n',
);
process.exitCode = 1;
