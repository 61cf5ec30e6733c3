/* Shuts a file system down as a power cut does: what is not on the disk yet will not get there. Usage: cut-power <mount point> */
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FS_SHUTDOWN _IOR('X', 125, unsigned int)

int main(int count, char **words) {
  unsigned int without_log_flush = 2;
  int fd = count == 2 ? open(words[1], O_RDONLY) : -1;
  if (fd < 0 || ioctl(fd, FS_SHUTDOWN, &without_log_flush) != 0) {
    perror("cut-power");
    return 1;
  }
  close(fd);
  return 0;
}
